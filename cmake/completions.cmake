# SPDX-License-Identifier: MIT
# Completion scripts are printed by the program that they complete.

function(apmtool_completion shell file folder)
  set(script ${PROJECT_BINARY_DIR}/completions/${shell}/${file})
  add_custom_command(OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory
      ${PROJECT_BINARY_DIR}/completions/${shell}
    COMMAND apmtool completion ${shell} > ${script}
    DEPENDS apmtool VERBATIM)
  add_custom_target(completion-${shell} ALL DEPENDS ${script})
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endfunction()

# A program for another machine prints them here only if an emulator runs it.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  apmtool_completion(bash apmtool bash-completion/completions)
  apmtool_completion(zsh _apmtool zsh/site-functions)
  apmtool_completion(fish apmtool.fish fish/vendor_completions.d)
endif()
