#include "grader/sandbox/zygote.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace attest {
namespace {

constexpr std::size_t kMostDescriptors = 16;

[[noreturn]] void fail_to(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bool send_message(int socket, std::span<const std::byte> text, std::span<const int> descriptors) {
  iovec data{const_cast<std::byte*>(text.data()), text.size()};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> room{};
  if (!descriptors.empty()) {
    if (descriptors.size() > kMostDescriptors) throw std::logic_error("too many descriptors for a zygote");
    message.msg_control = room.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(text.size());
}

template <class Reply>
bool receive(int socket, Reply& reply) {
  ssize_t got;
  do got = recv(socket, &reply, sizeof reply, 0);
  while (got < 0 && errno == EINTR);
  return got == sizeof reply;
}

}  // namespace

Zygote::Zygote(Policy policy) : policy_(std::move(policy)) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail_to("socketpair");
  socket_ = Descriptor(ends[0]);
  const Descriptor theirs(ends[1]);
  Policy own = policy_;
  own.descriptors = {{theirs.get(), 3}};
  own.folder = folder_.path();
  own.environment = clean_environment(folder_.path());
  own.walls = {};
  own.user.reset();
  program_ = spawn(own);
}

Child Zygote::fork(std::span<const std::pair<int, int>> descriptors, const std::filesystem::path& folder) {
  std::vector<int> ours;
  std::string text = {'F', static_cast<char>(descriptors.size())};
  for (const auto& [here, there] : descriptors) {
    ours.push_back(here);
    text += static_cast<char>(there);
  }
  Descriptor rules;
  if (policy_.walls.landlock) {
    rules = landlock_rules(policy_.reach, folder);
    ours.push_back(rules.get());
  }
  std::string filter;
  if (policy_.walls.seccomp) {
    const std::vector<sock_filter>& calls = system_calls(policy_.role);
    filter.assign(reinterpret_cast<const char*>(calls.data()), calls.size() * sizeof(sock_filter));
  }
  const uid_t user = policy_.user.value_or(static_cast<uid_t>(-1));
  if (policy_.user && chown(folder.c_str(), user, user) != 0) fail_to(folder.string());
  for (const std::uint32_t number :
       {static_cast<std::uint32_t>(user), static_cast<std::uint32_t>(filter.size())})
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
  text += filter + folder.string();
  std::int64_t pid = 0;
  if (!send_message(socket_.get(), std::as_bytes(std::span(text)), ours) || !receive(socket_.get(), pid)) {
    errno = ECHILD;
    fail_to("the program that processes are forked from has ended");
  }
  if (pid <= 0) {
    errno = static_cast<int>(-pid);
    fail_to("fork");
  }
  Child child;
  child.pid_ = static_cast<pid_t>(pid);
  child.pidfd_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, child.pid_, 0)));
  child.parent_ = this;
  return child;
}

std::optional<Exit> Zygote::wait(pid_t pid, bool until_it_ends) {
  struct {
    std::int64_t pid, wait;
  } const question{pid, until_it_ends ? 1 : 0};
  struct {
    std::int64_t ended, status;
    double cpu_s;
  } reply{};
  std::array<std::byte, 1 + sizeof question> text{};
  text[0] = std::byte{'W'};
  std::memcpy(text.data() + 1, &question, sizeof question);
  if (!send_message(socket_.get(), text, {}) || !receive(socket_.get(), reply)) return Exit{0, SIGKILL, 0};
  if (reply.ended == 0) return std::nullopt;
  return exit_of(static_cast<int>(reply.status), reply.cpu_s);
}

}  // namespace attest
