#pragma once

// CommandMain is the main() of the command, under another name so that this program can have its
// own.
int CommandMain(int argc, char** argv);
