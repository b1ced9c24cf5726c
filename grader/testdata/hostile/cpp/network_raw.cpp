// Sockets below TCP and UDP, and of families that few have heard of.
#include <netinet/in.h>
#include <sys/socket.h>
bool attack() {
  return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0 || socket(AF_PACKET, SOCK_RAW, 0) >= 0 || socket(AF_ALG, SOCK_SEQPACKET, 0) >= 0 ||
         socket(AF_NETLINK, SOCK_RAW, 0) >= 0 || socket(AF_INET6, SOCK_DGRAM, 0) >= 0;
}
