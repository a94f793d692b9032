// A search together with what it saw, for who has to look further from its hits.
#pragma once

#include <memfs/search.h>

#include "libmemfs/base/clock.h"
#include "libmemfs/store/store_inside.h"

namespace memfs {

struct SearchedSnapshot {
  StoreSnapshot here;
  SearchResult result{};
};

// search(), and the snapshot in which it searched.
Result<SearchedSnapshot> search_snapshot(const Store& store, const SearchRequest& request,
                                         Instant now);

}  // namespace memfs
