#include <memfs/result.h>

namespace memfs {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kNotFound:
      return "not-found";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kBusy:
      return "busy";
    case ErrorCode::kUnsupported:
      return "unsupported";
  }
  return "unknown";
}

}  // namespace memfs
