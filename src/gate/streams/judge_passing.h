#pragma once

// A stream that is passed on while it is judged. Not for users of the library; see judge_stream.h.

#include "check/check.h"
#include "check/data_scan.h"
#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/reading/stream_source.h"
#include "gate/streams/pass_through.h"
#include "parse/document.h"

namespace ggufgate {

// RejectsHeader tells whether the front of a stream is rejected whatever comes behind it, and then
// fills in the report, which is about what came: zeros stand for the rest of a file that is as long
// as its tensors want, or as `options` say.
[[nodiscard]] bool RejectsHeader(const StreamSource& stream, const Document& begun,
                                 const JudgeOptions& options, FileReport& report);

// RejectAsFar fills in the report on a stream that was stopped at what `scanned` found.
void RejectAsFar(const StreamSource& stream, const Document& begun, const JudgeOptions& options,
                 DataScanResult scanned, FileReport& report);

// PassMetadata gives metadata that are accepted to `pass`. False when they cannot be written.
[[nodiscard]] bool PassMetadata(Bytes metadata, PassThrough& pass);

// StoppingAt stops `pass` at the first fault of the tensor data that rejects by itself.
[[nodiscard]] CheckHooks StoppingAt(PassThrough& pass, const Policy& policy);

}  // namespace ggufgate
