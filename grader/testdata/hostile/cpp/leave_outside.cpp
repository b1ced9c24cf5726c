// Writes where everybody may.
#include <fstream>
#include <string>
bool attack() {
  bool done = false;
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/run", "..", "../.."})
    done = static_cast<bool>(std::ofstream(std::string(folder) + "/hostile-left") << 1 << std::flush) || done;
  return done;
}
