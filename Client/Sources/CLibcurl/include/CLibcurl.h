// The part of libcurl that Pouch uses, loaded at run time. FoundationNetworking on Linux loads the same library, so it
// is on every system that runs a program with URLSession, while libcurl's headers and its name for the linker are only
// on systems that are set up for C programs.
#ifndef CLIBCURL_H
#define CLIBCURL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __linux__

// Returns 0 if there is no libcurl, or only a version before 7.68 (2020). Call it once, before all others.
int libcurl_load(void);

// One transfer: curl_easy_*.
void *libcurl_easy_init(void);
void libcurl_easy_cleanup(void *easy);
int libcurl_easy_pause(void *easy, int directions);
int libcurl_easy_set_long(void *easy, int option, long value);
int libcurl_easy_set_offset(void *easy, int option, int64_t value);
int libcurl_easy_set_pointer(void *easy, int option, const void *value);
// Lets libcurl copy the bytes.
int libcurl_easy_set_bytes(void *easy, int option, const void *bytes, size_t length);
int libcurl_easy_get_long(void *easy, int info, long *value);
// Returns what a CURLcode means. The text lasts as long as the process.
const char *libcurl_easy_text(int code);

// A list of strings: curl_slist_*.
void *libcurl_list_append(void *list, const char *string);
void libcurl_list_free(void *list);

// The transfers of one thread: curl_multi_*.
void *libcurl_multi_init(void);
void libcurl_multi_cleanup(void *multi);
int libcurl_multi_set_long(void *multi, int option, long value);
int libcurl_multi_add(void *multi, void *easy);
int libcurl_multi_remove(void *multi, void *easy);
int libcurl_multi_perform(void *multi);
// Waits until there is activity on a connection, libcurl_multi_wakeup is called, or the time has passed.
int libcurl_multi_poll(void *multi, int milliseconds);
// May be called by any thread.
int libcurl_multi_wakeup(void *multi);
// Returns a transfer that has ended, and its CURLcode; NULL if there is none.
void *libcurl_multi_next_ended(void *multi, int *code);

#endif
#endif
