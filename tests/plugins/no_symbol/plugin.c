/* A shared object that is no plugin. */

extern const int toolrest_no_plugin;
const int toolrest_no_plugin = 1;
