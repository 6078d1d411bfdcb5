# The cache outside the tree that packaging/dev deps fills: ${assay_cache}.
set(assay_cache "$ENV{ASSAY_CACHE}")
if(NOT assay_cache)
  set(assay_cache "$ENV{XDG_CACHE_HOME}")
  if(NOT assay_cache)
    set(assay_cache "$ENV{HOME}/.cache")
  endif()
  set(assay_cache "${assay_cache}/assay")
endif()
