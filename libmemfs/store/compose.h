// From a wish to the new bytes of a file, without touching the disk.
#pragma once

#include <memfs/store.h>

#include <string>
#include <string_view>

#include "libmemfs/base/clock.h"

namespace memfs {

// kUsage for a key that is not ours or is kept by the store; kInvalid for a value that its field
// cannot have. The message names the flag's field and what is allowed.
Result<void> validate(const std::vector<FieldEdit>& fields, bool creating);

// The file of a new memory. REQUIRES: validated.
Result<std::string> compose_new(const NewMemory& wish, const std::string& id, Instant now);

// The file after `change`; the same bytes if nothing changes. REQUIRES: validated. Counts the
// revision up and renews updated_at where the field table says so; a body edit leaves a file
// without identity as it is. `new_id` is used if the file needs one.
// kInvalid if the block cannot be edited, if `old` of a replacement does not occur exactly once,
// or if the new body would read as front matter.
Result<std::string> compose_change(std::string_view file, const Memory& memory,
                                   const Change& change, const std::string& new_id, Instant now);

// The same file one revision on, nothing else: sealing, recovering, moving. Files without an
// identity stay as they are.
Result<std::string> compose_bump(std::string_view file, const Memory& memory);

// The file with `last_verified_at` renewed.
Result<std::string> compose_verification(std::string_view file, const Memory& memory,
                                         const std::string& new_id, Instant now);

// `wanted` as the next revision of `current`: an older state of its file, or what somebody made of
// it in an editor. Every byte is as in `wanted` but for the identity, which stays, the revision,
// and updated_at, which moves if the meaning differs. `next` is `wanted` as it reads. Where neither
// has an identity nothing is added. The bytes of `current` if only these keys differ.
// kInvalid if the block of `wanted` cannot be read.
Result<std::string> compose_whole(std::string_view wanted, const Memory& next,
                                  std::string_view current_file, const Memory& current,
                                  Instant now);

// The file with id, revision 1 and dates, as far as it has none; and with `source`, if it states
// none and one is given.
Result<std::string> compose_adoption(std::string_view file, const Memory& memory,
                                     const std::string& new_id, Instant created,
                                     const std::string& source = {});

}  // namespace memfs
