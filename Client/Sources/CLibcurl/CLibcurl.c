#ifdef __linux__

#include "CLibcurl.h"

#include <dlfcn.h>

// CURLMsg and curl_blob.
struct message {
    int kind;
    void *easy;
    union {
        void *pointer;
        int code;
    } result;
};
struct blob {
    const void *data;
    size_t length;
    unsigned int flags;
};
enum { message_done = 1, blob_copy = 1, global_everything = 3 };

static int (*global_init)(long flags);
static void *(*easy_init)(void);
static void (*easy_cleanup)(void *);
static int (*easy_pause)(void *, int);
static int (*easy_setopt)(void *, int, ...);
static int (*easy_getinfo)(void *, int, ...);
static const char *(*easy_strerror)(int);
static void *(*slist_append)(void *, const char *);
static void (*slist_free_all)(void *);
static void *(*multi_init)(void);
static int (*multi_cleanup)(void *);
static int (*multi_setopt)(void *, int, ...);
static int (*multi_add_handle)(void *, void *);
static int (*multi_remove_handle)(void *, void *);
static int (*multi_perform)(void *, int *);
static int (*multi_poll)(void *, void *, unsigned int, int, int *);
static int (*multi_wakeup)(void *);
static struct message *(*multi_info_read)(void *, int *);

int libcurl_load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (!library) return 0;
    // Unlike C, POSIX lets a data pointer hold the address of a function.
#define FIND(function) (*(void **)&function = dlsym(library, "curl_" #function))
    if (!FIND(global_init) || !FIND(easy_init) || !FIND(easy_cleanup) || !FIND(easy_pause) || !FIND(easy_setopt) ||
        !FIND(easy_getinfo) || !FIND(easy_strerror) || !FIND(slist_append) || !FIND(slist_free_all) || !FIND(multi_init) ||
        !FIND(multi_cleanup) || !FIND(multi_setopt) || !FIND(multi_add_handle) || !FIND(multi_remove_handle) ||
        !FIND(multi_perform) || !FIND(multi_poll) || !FIND(multi_wakeup) || !FIND(multi_info_read))
        return 0;
    return global_init(global_everything) == 0;
}

void *libcurl_easy_init(void) { return easy_init(); }
void libcurl_easy_cleanup(void *easy) { easy_cleanup(easy); }
int libcurl_easy_pause(void *easy, int directions) { return easy_pause(easy, directions); }
int libcurl_easy_set_long(void *easy, int option, long value) { return easy_setopt(easy, option, value); }
int libcurl_easy_set_offset(void *easy, int option, int64_t value) { return easy_setopt(easy, option, value); }
int libcurl_easy_set_pointer(void *easy, int option, const void *value) { return easy_setopt(easy, option, value); }
int libcurl_easy_get_long(void *easy, int info, long *value) { return easy_getinfo(easy, info, value); }

const char *libcurl_easy_text(int code) { return easy_strerror(code); }

int libcurl_easy_set_bytes(void *easy, int option, const void *bytes, size_t length) {
    struct blob blob = {bytes, length, blob_copy};
    return easy_setopt(easy, option, &blob);
}

void *libcurl_list_append(void *list, const char *string) { return slist_append(list, string); }
void libcurl_list_free(void *list) { slist_free_all(list); }

void *libcurl_multi_init(void) { return multi_init(); }
void libcurl_multi_cleanup(void *multi) { multi_cleanup(multi); }
int libcurl_multi_set_long(void *multi, int option, long value) { return multi_setopt(multi, option, value); }
int libcurl_multi_add(void *multi, void *easy) { return multi_add_handle(multi, easy); }
int libcurl_multi_remove(void *multi, void *easy) { return multi_remove_handle(multi, easy); }
int libcurl_multi_wakeup(void *multi) { return multi_wakeup(multi); }

int libcurl_multi_perform(void *multi) {
    int running;
    return multi_perform(multi, &running);
}

int libcurl_multi_poll(void *multi, int milliseconds) {
    return multi_poll(multi, NULL, 0, milliseconds, NULL);
}

void *libcurl_multi_next_ended(void *multi, int *code) {
    int left;
    struct message *message;
    while ((message = multi_info_read(multi, &left))) {
        if (message->kind != message_done) continue;
        *code = message->result.code;
        return message->easy;
    }
    return NULL;
}

#endif
