# Where MEM_UNITY is on (the sanitized tree of `./dev test`), files of one folder compile several at a time as
# one unit: what they include is parsed, and its templates are made, once a unit instead of once a file.
# Hence no two files of a folder may call different things by one name, not even in unnamed namespaces
# (docs/contributing.md says what to do where they did). All other trees compile each file alone.
#
# unity(TARGET [FOLDER…]): but for what lies in these folders.
function(unity target)
  if(NOT MEM_UNITY)
    return()
  endif()
  set(files_a_unit 16)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    if(NOT folder OR NOT folder IN_LIST ARGN)  # an empty one is in any list
      string(MAKE_C_IDENTIFIER "in_${folder}" room)
      if(NOT DEFINED files_${room})
        set(files_${room} 0)
      endif()
      math(EXPR unit "${files_${room}} / ${files_a_unit}")
      math(EXPR files_${room} "${files_${room}} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${unit})
    endif()
  endforeach()
endfunction()
