#pragma once

// Functions for a stream that is passed on while it is checked. They are internal to this folder;
// see judge_stream.h.

#include "check/check.h"
#include "check/data_scan.h"
#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/reading/stream_source.h"
#include "gate/streams/pass_through.h"
#include "parse/document.h"

namespace ggufgate {

// RejectsHeader tells whether the front of a stream is rejected for all possible contents after it.
// Then it fills in the report about the bytes that came. Zeros replace the rest of the file. The
// length of the file follows from its tensors, or from `options`.
[[nodiscard]] bool RejectsHeader(const StreamSource& stream, const Document& begun,
                                 const JudgeOptions& options, FileReport& report);

// RejectAsFar fills in the report about a stream that was stopped by the faults in `scanned`.
void RejectAsFar(const StreamSource& stream, const Document& begun, const JudgeOptions& options,
                 DataScanResult scanned, FileReport& report);

// PassMetadata passes accepted metadata to `pass`. It returns false if they cannot be written.
[[nodiscard]] bool PassMetadata(Bytes metadata, PassThrough& pass);

// StoppingAt stops `pass` at the first fault in the tensor data that causes a rejection.
[[nodiscard]] CheckHooks StoppingAt(PassThrough& pass, const Policy& policy);

}  // namespace ggufgate
