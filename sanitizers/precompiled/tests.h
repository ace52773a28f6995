// The headers that most tests include (precompiled.cmake).
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "sanitizers/precompiled/above.h"
