#include "gate/processes/check_plan.h"

#include <unistd.h>

#include <algorithm>

#include "bytes/checked.h"
#include "gate/judge_all.h"
#include "gate/processes/report_wire.h"
#include "gate/reading/input.h"

namespace ggufgate {
namespace {

void SendCpuLimit(const Policy& policy, const FrameSender& send) {
  send(FrameKind::kCpuLimit, FrameOfNumber(policy.limits.cpu_seconds));
}

// JudgeSome checks the files from `begin` up to `end` in a worker.
void JudgeSome(const CheckPlan& plan, std::size_t begin, std::size_t end, const FrameSender& send) {
  std::optional<JudgeOptions> options = plan.options();
  if (!options) return;
  SendCpuLimit(options->policy, send);
  if (plan.tells_progress && options->policy.data != DataScan::kNone) {
    options->on_progress = [&send](std::uint64_t bytes) {
      send(FrameKind::kProgress, FrameOfNumber(bytes));
    };
  }
  const auto files = std::span(plan.files).subspan(begin, end - begin);
  JudgeAll(
      std::vector<std::string>(files.begin(), files.end()),
      [&](std::size_t index, const JudgeOptions& by) { return plan.judge(begin + index, by); },
      *options, plan.jobs,
      [&](const FileReport& report) { send(FrameKind::kReport, WriteReport(report)); });
}

// AskForSome gets the opinions on the files from `begin` up to `end` in a witness.
void AskForSome(const CheckPlan& plan, std::size_t begin, std::size_t end,
                const FrameSender& send) {
  const std::optional<Policy> policy = plan.policy();
  if (!policy) return;
  SendCpuLimit(*policy, send);
  for (std::size_t file = begin; file < end; ++file) {
    send(FrameKind::kReport, WriteOpinion(plan.ask(file, *policy)));
  }
}

// ReachOf returns the files and descriptors that a worker can use.
Confinement ReachOf(const CheckPlan& plan) {
  Confinement reach;
  reach.readable = plan.readable;
  reach.writes = plan.pass_through;
  reach.spools = std::ranges::find(plan.files, "-") != plan.files.end();
  reach.descriptors.emplace();
  if (plan.pass_through) reach.descriptors->push_back(STDOUT_FILENO);
  for (const std::string& file : plan.files) {
    if (const std::optional<int> descriptor = DescriptorNamedBy(file)) {
      reach.descriptors->push_back(*descriptor);
    }
  }
  return reach;
}

// WithRoom adds the memory that a process inherits to its limit.
void WithRoom(Confinement& confinement, std::uint64_t in_use) {
  confinement.most_memory = CheckedAdd(confinement.most_memory, in_use).value_or(UINT64_MAX);
}

}  // namespace

WorkerProcesses ProcessesFor(const CheckPlan& plan) {
  WorkerProcesses processes;
  processes.files = plan.files.size();
  processes.at_once = std::size_t{2} * plan.jobs;
  processes.most_cpu_seconds = plan.cpu_seconds;
  processes.read_once = [&plan](std::size_t file) { return plan.files.at(file) == "-"; };
  processes.judge = [&plan](std::size_t begin, std::size_t end, const FrameSender& send) {
    JudgeSome(plan, begin, end, send);
  };
  if (plan.second_opinion != SecondOpinion::kNever) {
    processes.witness = [&plan](std::size_t begin, std::size_t end, const FrameSender& send) {
      AskForSome(plan, begin, end, send);
    };
  }
  processes.worker = ReachOf(plan);
  processes.printer.reads = false;
  WithRoom(processes.worker, plan.memory_in_use);
  WithRoom(processes.printer, plan.memory_in_use);
  return processes;
}

}  // namespace ggufgate
