// Asks whether files exist. It may, as any program may: no wall of this kind hides names from who knows them. What counts is that this
// helps nobody, so the answer stays wrong.
#if __has_include("/etc/shadow") && __has_include("/root/.profile")
int found = 1;
#endif
bool attack() { return false; }
