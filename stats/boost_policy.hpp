// SPDX-License-Identifier: Apache-2.0
// Private to the .cpp files of stats: how Boost.Math is used here.
#pragma once

#include <boost/math/policies/policy.hpp>

namespace torchgate::stats {

// Boost.Math throws by default (students_t with NaN, trigamma of 0, digamma of infinity). Nothing leaves this library
// as an exception, so errors come back as NaN or infinity and the caller checks. double is not promoted to long double:
// that is five times slower, differs per platform, and the t tails and quantiles used here agree to 1e-13 either way.
using NoThrow =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::promote_double<false>>;

}  // namespace torchgate::stats
