#pragma once

// CommandMain is the main() of the command, by a name that leaves room for another.
int CommandMain(int argc, char** argv);
