#include "PouchVersion.h"

// A release defines it; anything else is a build from the sources.
#ifndef POUCH_VERSION
#define POUCH_VERSION development
#endif

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(text) #text

const char *pouch_version(void) { return TEXT_OF(POUCH_VERSION); }
