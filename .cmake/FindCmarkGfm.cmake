# The extensions come without a .pc file.
find_path(CMARK_GFM_INCLUDE_DIR cmark-gfm.h)
find_library(CMARK_GFM_LIBRARY NAMES cmark-gfm)
find_library(CMARK_GFM_EXTENSIONS_LIBRARY NAMES cmark-gfm-extensions)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CmarkGfm DEFAULT_MSG CMARK_GFM_LIBRARY
  CMARK_GFM_EXTENSIONS_LIBRARY CMARK_GFM_INCLUDE_DIR)
if(CmarkGfm_FOUND AND NOT TARGET CmarkGfm::CmarkGfm)
  add_library(CmarkGfm::Core UNKNOWN IMPORTED)
  set_target_properties(CmarkGfm::Core PROPERTIES IMPORTED_LOCATION ${CMARK_GFM_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CMARK_GFM_INCLUDE_DIR})
  add_library(CmarkGfm::CmarkGfm UNKNOWN IMPORTED)
  set_target_properties(CmarkGfm::CmarkGfm PROPERTIES
    IMPORTED_LOCATION ${CMARK_GFM_EXTENSIONS_LIBRARY} INTERFACE_LINK_LIBRARIES CmarkGfm::Core)
endif()
