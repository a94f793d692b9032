# The distribution's own CMake target is shared-only; this one can be static too.
find_path(YAML_CPP_INCLUDE_DIR yaml-cpp/yaml.h)
find_library(YAML_CPP_LIBRARY NAMES yaml-cpp)
# The headers do not tell the version; the .pc file does.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_YAML_CPP QUIET yaml-cpp)
  set(YamlCpp_VERSION ${PC_YAML_CPP_VERSION})
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(YamlCpp DEFAULT_MSG YAML_CPP_LIBRARY YAML_CPP_INCLUDE_DIR)
if(YamlCpp_FOUND AND NOT TARGET YamlCpp::YamlCpp)
  add_library(YamlCpp::YamlCpp UNKNOWN IMPORTED)
  set_target_properties(YamlCpp::YamlCpp PROPERTIES IMPORTED_LOCATION ${YAML_CPP_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${YAML_CPP_INCLUDE_DIR})
endif()
