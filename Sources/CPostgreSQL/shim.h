// Debian keeps it in a folder of its own, where no pkg-config is needed to find it.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
