# libstemmer comes without a .pc file.
find_path(STEMMER_INCLUDE_DIR libstemmer.h)
find_library(STEMMER_LIBRARY NAMES stemmer)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Stemmer DEFAULT_MSG STEMMER_LIBRARY STEMMER_INCLUDE_DIR)
if(Stemmer_FOUND AND NOT TARGET Stemmer::Stemmer)
  add_library(Stemmer::Stemmer UNKNOWN IMPORTED)
  set_target_properties(Stemmer::Stemmer PROPERTIES IMPORTED_LOCATION ${STEMMER_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${STEMMER_INCLUDE_DIR})
endif()
