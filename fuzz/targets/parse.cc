// parse: any bytes become a document that tells only what is there; a shorter prefix of the file
// gives the same document or the wish for more.

#include "parse/parse.h"
#include "fuzz/support/target.h"
#include "parse/regions.h"
#include "tests/support/parse_same.h"

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

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const Limits limits;
  const ParseResult whole = Parse(copy.bytes(), input.size(), limits);
  Require(!whole.NeedsMore(), "a whole file is enough");
  RequireInside(whole.document, input.size());
  Require(testing::Tile(Regions(whole.document), input.size()) || whole.document.fault ||
              !whole.document.tensors.empty(),
          "the regions of a file without tensors cover it, each byte once");

  const fuzz::GuardedCopy front(input.first(input.size() / 2), 1);
  const ParseResult partial = Parse(front.bytes(), input.size(), limits);
  if (partial.NeedsMore()) {
    Require(partial.bytes_needed > front.bytes().size() && partial.bytes_needed <= input.size(),
            "what is asked for is more than there was, and no more than there is");
  } else {
    Require(testing::DifferenceOf(partial.document, whole.document).empty(),
            "a prefix that is enough gives the same document");
  }
}
