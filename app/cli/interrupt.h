#pragma once
namespace assay::cli {

// While one lives, SIGINT is counted instead of ending the program, and so is SIGTERM when asked for.
class InterruptGuard {
public:
    explicit InterruptGuard(bool termToo = false);
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    int count() const;

private:
    bool termToo_;
};

}  // namespace assay::cli
