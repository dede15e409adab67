#ifndef POUCH_VERSION_H
#define POUCH_VERSION_H

// The version of the programs, such as 1.2.0.
const char *pouch_version(void);

#endif
