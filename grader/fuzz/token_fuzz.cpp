// Tokens, as --case takes them: what can be read is written as a token that means the same.
#include "grader/fuzz/fuzz.hpp"
#include "properties/case.hpp"

#include <stdexcept>

using namespace attest;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Spec& spec = multi_head_attention_spec();
  try {
    const ParsedToken parsed = parse_token(fuzz::text(data, size));
    check_fits(spec, parsed.value);
    const std::string again = token(spec, parsed.dtype, parsed.value);
    if (token(spec, parsed.dtype, parse_token(again).value) != again)
      fuzz::found("a token that changes its meaning");
    Index numbers = 1;
    for (const auto& [symbol, extent] : parsed.value.free) numbers *= extent < 32 ? extent : 1 << 20;
    if (numbers < 1 << 16) materialise(spec, parsed.value, parsed.dtype);
  } catch (const std::invalid_argument&) {  // it says what is wrong with it
  }
  return 0;
}
