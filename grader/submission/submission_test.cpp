#include "grader/submission/submission.hpp"

#include "grader/sandbox/sandbox.hpp"
#include "grader/submission/sha256.hpp"
#include "grader/submission/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace attest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Submission python(std::string text) { return {"mine.py", "mine.py", Language::python, std::move(text), ""}; }
Submission cpp(std::string text) { return {"mine.cpp", "mine.cpp", Language::cpp, std::move(text), ""}; }

std::vector<std::string> summary(const Submission& submission) {
  std::vector<std::string> all;
  for (const Definition& d : definitions(submission)) {
    std::string text = std::to_string(d.line) + " " + d.name + "(";
    for (const std::string& p : d.parameters) text += (text.back() == '(' ? "" : ",") + p;
    all.push_back(text + ")");
  }
  return all;
}

TEST(Sha256,
     AgreesWithThePublishedExamples) {  // FIPS 180-4's examples, and its padding edge at 55 and 56 bytes
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Definitions, PythonFunctionsAtTopLevelAreFound) {
  EXPECT_THAT(summary(python("import x\n"
                             "def a(p, q=(1, 2), *rest, **more): pass\n"
                             "async def b(\n    x,  # the tokens\n    w: dict[str, int] = {},\n): pass\n"
                             "c = lambda s, t=1: s\n"
                             "class K:\n    def method(self): pass\n"
                             "def outer():\n    def inner(): pass\n")),
              ElementsAre("2 a(p,q,*rest,**more)", "3 b(x,w)", "7 c(s,t)", "10 outer()"));
}

TEST(Definitions, PythonCommentsAndStringsAreNotCode) {
  EXPECT_THAT(summary(python(
                  "\"\"\"\ndef no(x): pass\n\"\"\"\n# def neither(): pass\ndef yes(x=')', y='#'): pass\n")),
              ElementsAre("5 yes(x,y)"));
}

TEST(Definitions, CppFunctionsAtNamespaceScopeAreFound) {
  EXPECT_THAT(
      summary(
          cpp("#include <vector>\n#define F(x) int x() { }\n"
              "struct S { int method() { return 1; } };\n"
              "static const int table[] = {1, 2};\n"
              "namespace mine { template <class M> M helper(const M& m, int n = 2) { return m; } }\n"
              "attest::Attention f(const attest::Matrix& x,\n   attest::Index n_heads) {\n  if (x.rows() > "
              "0) { }\n}\n"
              "/* int no() { } */ int g(void) { return '{'; }  // int nor() {}\n"
              "int declared(int);\nauto h(std::vector<std::pair<int, int>> v) -> int { return 1'000; }\n")),
      ElementsAre("5 helper(m,n)", "6 f(x,n_heads)", "10 g()", "12 h(v)"));
}

TEST(Definitions, UnfinishedTextIsReadAsFarAsItGoes) {
  for (const char* text : {"def a(", "def", "x = lambda", "\"\"\"", "'", "int f(", "int f() {", "R\"(", "#",
                           "/*", "namespace {", ")}]"}) {
    definitions(python(text));
    definitions(cpp(text));
  }
}

// Half a megabyte of lines, of functions that never end and of modules: each is read once, which takes a moment and not minutes.
TEST(Definitions, ManyLinesAreReadOnce) {
  std::string lines, functions, modules;
  for (int i = 0; i < 100'000; ++i) {
    lines += "\n";
    functions += "def a(\n";
    if (i < 30'000) modules += "import m" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(definitions(python(lines + "def last(x): pass\n")).at(0).line, 100'001);
  EXPECT_EQ(definitions(python(functions)).size(), 100'000u);
  const auto found = imports(python(lines + modules));
  ASSERT_EQ(found.size(), 30'000u);
  EXPECT_EQ(found.back().line, 130'000);
}

// A form feed is a blank between two words of Python, and no end of a line.
TEST(Imports, AFormFeedEndsNoLine) {
  const auto found = imports(python("x = 1\f\fimport os\nimport\fsys\n"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].module, "sys");
  EXPECT_EQ(found[0].line, 2);
}

TEST(Imports, AreFoundHoweverTheyAreWritten) {
  std::vector<std::string> found;
  for (const Import& import : imports(python("import numpy as np, os.path\n"
                                             "from torch.nn import functional as F\n"
                                             "if True: import ctypes; import numpy\n"
                                             "# import commented\n"
                                             "text = 'import quoted'\n"
                                             "m = __import__('subprocess')\n"
                                             "n = importlib.import_module( \"socket.socket\")\n"
                                             "important = from_here = 1\n"
                                             "from . import mine\n")))
    found.push_back(std::to_string(import.line) + " " + import.module);
  EXPECT_THAT(found, ElementsAre("1 numpy", "1 os", "2 torch", "3 ctypes", "6 subprocess", "7 socket"));
  EXPECT_TRUE(imports(cpp("import numpy\n")).empty());
}

TEST(Check, EmptyAndBinaryFilesAreToldApart) {
  EXPECT_EQ(check(python(" \n\t"))->outcome, Outcome::no_entry);
  EXPECT_EQ(check(cpp(std::string("int\0x", 5)))->outcome, Outcome::rejected);
  EXPECT_FALSE(check(python("x = 1")));
}

TEST(Load, SaysWhatIsWrongWithAPath) {
  const PrivateFolder folder;
  const auto message = [&](const std::filesystem::path& path) -> std::string {
    try {
      load(path);
      return "loaded";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  std::ofstream(folder.path() / "mine.txt") << "x";
  std::ofstream(folder.path() / "mine.py") << "x = 1\n";
  EXPECT_THAT(message(folder.path() / "none.py"), HasSubstr("no such file"));
  EXPECT_THAT(message(folder.path()), HasSubstr("folder"));
  EXPECT_THAT(message(folder.path() / "mine.txt"), HasSubstr(".py"));
  // A link to another file of the folder is as good as that; one that leads out of it would be read with the grader's rights.
  std::filesystem::create_symlink("mine.py", folder.path() / "same.py");
  std::filesystem::create_symlink("/etc/passwd", folder.path() / "other.py");
  EXPECT_EQ(message(folder.path() / "same.py"), "loaded");
  EXPECT_THAT(message(folder.path() / "other.py"), HasSubstr("leads out of its folder"));
  const Submission submission = load(folder.path() / "mine.py");
  EXPECT_EQ(submission.name, "mine.py");
  EXPECT_EQ(submission.text, "x = 1\n");
  EXPECT_EQ(submission.sha256, sha256("x = 1\n"));
}

TEST(Printable, OnlyHarmlessTextIsLeft) {
  EXPECT_EQ(printable("a\x1b[31mb\x07\r\n\tc\x7f"), "a[31mb\n\tc");
  EXPECT_EQ(printable("\xff\xc3\xa9\xc0\x80"), "\xEF\xBF\xBD\xc3\xa9\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(printable("\u202eab\u2066c\u200fd\u0085\u061c\u2028\u00a0"), "abcd\u2028\u00a0");
  EXPECT_EQ(printable("File \"/home/ann/hw/mine.py\", line 3"), "File \"mine.py\", line 3");
  EXPECT_EQ(printable("T/2 and 1 / 3 and ./x"), "T/2 and 1 / 3 and ./x");
  EXPECT_EQ(printable("thread 0x00007fc2667e92c0 of 0xff"), "thread 0x... of 0xff");
  EXPECT_EQ(printable_line("one\ntwo\n"), "one two");
  EXPECT_THAT(printable(std::string(1000, 'x'), 100), HasSubstr("900 bytes left out"));
}

}  // namespace
}  // namespace attest
