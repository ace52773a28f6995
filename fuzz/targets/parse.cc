// parse: any bytes become a document that tells only what is there; a shorter prefix of the file
// gives the same document or the wish for more. Now and then the limits are low.

#include "parse/parse.h"

#include <algorithm>

#include "fuzz/support/target.h"
#include "parse/regions.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/parse_same.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

void RequireInside(const Document& document, std::uint64_t size) {
  for (const MetadataEntry& entry : document.metadata) {
    Require(entry.range.FitsIn(size), "a metadata record is inside the file");
    Require(entry.ElementsRange().End() == entry.range.End(), "a value ends with its record");
  }
  for (const TensorInfo& tensor : document.tensors) {
    Require(tensor.Range().FitsIn(size), "a tensor record is inside the file");
  }
  Require(document.metadata.size() <= document.metadata_count, "no more keys than claimed");
  Require(document.tensors.size() <= document.tensor_count, "no more tensors than claimed");
  Require(document.fault.has_value() || document.tensors.size() == document.tensor_count,
          "without a fault all tensors were read");
}

// LimitsFor gives the limits that one input in four is read under: so low that small files break
// them.
Limits LimitsFor(Bytes input) {
  Limits limits;
  const std::uint64_t draw = fuzz::DrawOf(input);
  if (draw % 4 != 0) return limits;
  for (const LimitInfo& limit : AllLimits()) {
    limits.*limit.value = std::min(limits.*limit.value, draw >> 8 & 31);
  }
  return limits;
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const Limits limits = LimitsFor(input);
  const ParseResult whole = Parse(copy.bytes(), input.size(), limits);
  Require(!whole.NeedsMore(), "a whole file is enough");
  RequireInside(whole.document, input.size());
  const std::vector<Region> regions = Regions(whole.document);
  Require(testing::Tile(regions, input.size()) || whole.document.fault ||
              !whole.document.tensors.empty(),
          "the regions of a file without tensors cover it, each byte once");
  for (const Region& region : regions) {
    Require(!WordFor(region.kind).empty(), "every region has a name");
  }

  const fuzz::GuardedCopy front(input.first(input.size() / 2), 1);
  const ParseResult partial = Parse(front.bytes(), input.size(), limits);
  if (partial.NeedsMore()) {
    Require(partial.bytes_needed > front.bytes().size() && partial.bytes_needed <= input.size(),
            "what is asked for is more than there was, and no more than there is");
    const ParseResult rest = Parse(copy.bytes(), input.size(), limits,
                                   {.runs = partial.runs,
                                    .wide_lengths = partial.document.wide_lengths,
                                    .some_lengths = partial.document.some_lengths});
    Require(testing::DifferenceOf(rest.document, whole.document).empty(),
            "runs that are skipped give the same document");
  } else {
    Require(testing::DifferenceOf(partial.document, whole.document).empty(),
            "a prefix that is enough gives the same document");
  }
}
