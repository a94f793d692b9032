// Which reader and writer a format has.
#pragma once

#include <memfs/exchange.h>

#include "libmemfs/exchange/export_writer.h"
#include "libmemfs/exchange/import_reader.h"

namespace memfs {

ImportReader reader_of(ImportFormat format);
ExportWriter writer_of(ExportFormat format);

}  // namespace memfs
