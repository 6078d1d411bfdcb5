#pragma once
// fsync() of this program, which tests can make fail: its n-th call from now on gives `error`.
namespace assay::train::testing {

class FailingSync {
public:
    FailingSync(int call, int error);
    ~FailingSync();
    int calls() const;  // since it was made
};

}  // namespace assay::train::testing
