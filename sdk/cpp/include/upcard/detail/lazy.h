// A value that is worked out when it is first asked for.
#pragma once

#include <optional>

namespace upcard::detail {

template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(Make make) const {
    if (!value_) value_.emplace(make());
    return *value_;
  }

 private:
  mutable std::optional<T> value_;
};

}  // namespace upcard::detail
