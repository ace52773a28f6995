#pragma once

#include <cstdint>
#include <string>

#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/processes/second_opinion.h"
#include "gate/remote/channel_pool.h"

namespace ggufgate {

// JudgeRemote judges file `number` of those that the process behind the channels fetches. `path` is
// what the report calls it. Where no tensor data are judged and no digest is wanted it takes as
// much of the file as that needs; else all of it passes, once, and is not kept.
//
// A file of which a read failed, or of which anything that the server said was odd, is kUndecided,
// whatever else was found.
[[nodiscard]] FileReport JudgeRemote(ChannelPool& channels, std::uint32_t number,
                                     const std::string& path, const JudgeOptions& options);

// AskWitnessOfRemote is AskWitness() of such a file.
[[nodiscard]] Opinion AskWitnessOfRemote(ChannelPool& channels, std::uint32_t number,
                                         SecondOpinion wanted, const Policy& policy);

}  // namespace ggufgate
