// Reads the source from which it was made, and what else lies beside its program.
#include <dirent.h>
#include <unistd.h>
#include <string>
bool attack() {
  char program[4096] = {};
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return false;
  const std::string path(program);
  DIR* folder = opendir(path.substr(0, path.rfind('/')).c_str());
  return folder != nullptr && readdir(folder) != nullptr;
}
