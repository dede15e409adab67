#include "CLibpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static const char *const places[] = {
#ifdef __APPLE__
    "libpq.5.dylib",
    "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
};

#define DEFINE(name, result, parameters, arguments) \
    static result(*loaded_##name) parameters; \
    result name parameters { return loaded_##name arguments; }
LIBPQ_FUNCTIONS(DEFINE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded = 0;

static void load(void) {
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof places / sizeof *places; i++) library = dlopen(places[i], RTLD_NOW);
    if (!library) return;
    // POSIX, unlike C, lets a pointer to data hold the address of a function.
#define FIND(name, result, parameters, arguments) \
    if (!(*(void **)&loaded_##name = dlsym(library, #name))) return;
    LIBPQ_FUNCTIONS(FIND)
    is_loaded = 1;
}

int libpq_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}
