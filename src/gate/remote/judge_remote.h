#pragma once

#include <cstdint>
#include <string>

#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/processes/second_opinion.h"
#include "gate/remote/channel_pool.h"

namespace ggufgate {

// JudgeRemote checks file `number` of the fetching process behind the channels. `path` is its name
// in the report. Without a check of tensor data and without a digest, it reads only the ranges that
// it needs. Otherwise it reads the whole file once, without keeping it.
//
// If a read fails, or if an answer of the server is suspicious, the file is kUndecided regardless
// of the findings.
[[nodiscard]] FileReport JudgeRemote(ChannelPool& channels, std::uint32_t number,
                                     const std::string& path, const JudgeOptions& options);

// AskWitnessOfRemote is AskWitness() for such a file.
[[nodiscard]] Opinion AskWitnessOfRemote(ChannelPool& channels, std::uint32_t number,
                                         SecondOpinion wanted, const Policy& policy);

}  // namespace ggufgate
