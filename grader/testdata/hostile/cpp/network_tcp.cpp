// Talks over TCP, to itself.
#include <netinet/in.h>
#include <sys/socket.h>
bool attack() {
  const int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  return bind(server, reinterpret_cast<sockaddr*>(&name), size) == 0 && listen(server, 1) == 0 &&
         getsockname(server, reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
         connect(client, reinterpret_cast<sockaddr*>(&name), size) == 0;
}
