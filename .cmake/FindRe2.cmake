# The distribution's package has a .pc file but no CMake configuration; a static build needs the archive.
find_path(RE2_INCLUDE_DIR re2/re2.h)
find_library(RE2_LIBRARY NAMES re2)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Re2 DEFAULT_MSG RE2_LIBRARY RE2_INCLUDE_DIR)
if(Re2_FOUND AND NOT TARGET Re2::Re2)
  find_package(Threads REQUIRED)
  add_library(Re2::Re2 UNKNOWN IMPORTED)
  set_target_properties(Re2::Re2 PROPERTIES IMPORTED_LOCATION ${RE2_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
