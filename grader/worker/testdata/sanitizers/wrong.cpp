// What gcc.txt and clang.txt are reports of: compiled as submissions are for Build::sanitized, run with each number once.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

double table[4] = {1, 2, 3, 4};
int* returned() {
  int local[4] = {1, 2, 3, 4};
  int* volatile first = local;
  return first;
}
double deeper(int n) {
  volatile char page[4096];
  page[0] = 1;
  return deeper(n + 1) + page[0];
}
int sign(int n) {
  if (n > 0) return 1;
  if (n < 0) return -1;
}

int main(int, char** argv) {
  const int number = std::atoi(argv[1]);
  int four = 4;
  std::vector<double> v(four);
  double* p = new double[four];
  double row[4] = {1, 2, 3, 4};
  double* r = row;
  double* t = table;
  double sum = 0;
  if (number == 1)
    sum = p[four];
  if (number == 2)
    p[-1] = 3;
  if (number == 3)
    sum += v[four + 2];
  if (number == 4) {
    v.reserve(8);
    sum = v[four + 1];
  }
  if (number == 5)
    sum = row[four];
  if (number == 6)
    r[four] = 1;
  if (number == 7)
    sum = t[four];
  if (number == 8) {
    delete[] p;
    sum = p[2];
  }
  if (number == 9) {
    delete[] p;
    delete[] p;
  }
  if (number == 10)
    delete p;
  if (number == 11)
    sum = returned()[1];
  if (number == 12) {
    const int* last;
    {
      int inner[3] = {1, 2, 3};
      last = inner;
    }
    sum = last[2];
  }
  if (number == 13)
    sum = deeper(0);
  if (number == 14) {
    double* nothing = nullptr;
    sum = *nothing;
  }
  if (number == 15) {
    auto* somewhere = reinterpret_cast<double*>(0x123456789000);
    sum = *somewhere;
  }
  if (number == 16)
    sum = 5 / (four - 4);
  if (number == 17)
    sum = 2147483647 + four;
  if (number == 18)
    sum = 1 << (four * 10);
  if (number == 19)
    sum = sign(four - 4);
  if (number == 20) {
    std::vector<double> empty;
    sum = empty[0];
  }
  if (number == 21) {
    double lengths[four - 8];
    sum = lengths[0];
  }
  if (number == 22) {
    char bytes[32];
    sum = *reinterpret_cast<double*>(bytes + 4);
  }
  if (number == 23)
    std::free(row + 1);
  if (number == 24)
    sum = p[four * 300];
  if (number == 25)
    std::memcpy(p, row, four - 8);
  if (number == 26)
    std::memcpy(p, v.data(), 36);
  if (number == 27) {
    v.push_back(5);
    const double& first = v[0];
    for (int i = 0; i < 100; ++i) v.push_back(i);
    sum = first;
  }
  if (number == 28) {
    bool is_set;
    sum = is_set ? 1 : 2;
  }
  if (number == 29) {
    double large = 1e20;
    sum = static_cast<int>(large);
  }
  if (number == 30)
    sum = *reinterpret_cast<double*>(reinterpret_cast<char*>(p) + 28);
  if (number == 31)
    std::memcpy(p, p + 1, 16);
  std::printf("%g\n", sum);
}
