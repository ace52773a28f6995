// The headers that most tests include (precompiled.cmake).
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "bytes/byte_order.h"
#include "bytes/byte_source.h"
#include "bytes/bytes.h"
#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/finding.h"
#include "check/policy.h"
#include "parse/document.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "sanitizers/precompiled/above.h"
