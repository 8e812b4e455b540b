/* In a fully static program nothing may reach glibc's name service switch or dlopen, which want
 * shared libraries of the build's exact glibc at run time. Byoshin's curl resolves names with
 * c-ares, and OpenSSL loads no modules, so these entry points are linked but never needed; defining
 * them keeps libc's versions, and the linker's warnings about them, out of the program. */
#include <errno.h>
#include <netdb.h>
#include <stddef.h>

int getaddrinfo(const char* node, const char* service,
                const struct addrinfo* hints, struct addrinfo** result) {
  (void)node;
  (void)service;
  (void)hints;
  *result = NULL;
  return EAI_FAIL;
}

void freeaddrinfo(struct addrinfo* info) { (void)info; }

struct hostent* gethostbyname(const char* name) {
  (void)name;
  return NULL;
}

struct servent* getservbyname(const char* name, const char* protocol) {
  (void)name;
  (void)protocol;
  return NULL;
}

int getservbyport_r(int port, const char* protocol, struct servent* entry,
                    char* buffer, size_t length, struct servent** result) {
  (void)port;
  (void)protocol;
  (void)entry;
  (void)buffer;
  (void)length;
  *result = NULL;
  return ENOENT;
}

void* dlopen(const char* file, int mode) {
  (void)file;
  (void)mode;
  return NULL;
}
