// attest new: a stub to fill in.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/exercises/nearest.hpp"
#include "grader/submission/submission.hpp"

#include <fmt/format.h>

#include <fstream>

namespace attest {

int new_command(const NewCommand& command, const Context& context) {
  const Ladder ladder = context.ladder();
  const Exercise* exercise = command.slug.empty() ? &ladder.preferred() : ladder.find(command.slug);
  if (exercise == nullptr) {
    throw UsageError(fmt::format("there is no exercise '{}'{} (attest list shows all)", command.slug,
                                 did_you_mean(command.slug, ladder.slugs())));
  }
  const std::filesystem::path stub = exercise->folder / ("stub." + command.language);
  const std::filesystem::path folder = command.folder;
  std::string name = exercise->spec.slug;
  for (char& c : name) c = c == '-' ? '_' : c;  // a Python module's name
  const std::filesystem::path target = (folder / (name + "." + command.language)).lexically_normal();

  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw UsageError(fmt::format("{}: {}", folder.string(), error.message()));
  // copy_file refuses what exists: nobody's work is overwritten.
  if (!std::filesystem::copy_file(stub, target, std::filesystem::copy_options::none, error) || error) {
    if (error == std::errc::file_exists) {
      throw UsageError(
          fmt::format("{} is there already; nothing was changed. Name another folder: attest new {} DIR",
                      target.string(), exercise->spec.slug));
    }
    throw UsageError(fmt::format("{}: {}", target.string(), error.message()));
  }
  print(fmt::format("{}\nthe task:  {}\ngrade it:  attest grade {}\n", target.string(),
                    (exercise->folder / "statement.md").string(), target.string()));
  return kAllPassed;
}

}  // namespace attest
