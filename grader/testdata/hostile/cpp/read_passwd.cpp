// Reads a file that every user may read.
#include <fstream>
#include <string>
bool attack() {
  std::string line;
  return static_cast<bool>(std::getline(std::ifstream("/etc/passwd"), line));
}
