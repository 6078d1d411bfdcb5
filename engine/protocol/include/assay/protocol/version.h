#pragma once
// Version numbers and limits of the wire (PROTOCOL.md). api_level grows with every addition; api_compat_level only with a
// break, together with the sub-protocol's major number. Each bump gets a conformance vector in tests/fixtures/protocol.

#include <cstddef>
#include <string_view>

namespace assay::protocol {

inline constexpr std::string_view kProduct = "assay";
inline constexpr int kApiLevel = 2;
inline constexpr int kApiCompatLevel = 1;  // the oldest level this side still understands
inline constexpr std::string_view kSubprotocol = "assay.v1.json";

inline constexpr size_t kMaxMessageBytes = size_t{4} << 20;
inline constexpr size_t kMaxBlobChunkBytes = size_t{1} << 20;
inline constexpr int kBatchCredits = 4;               // event batches ahead of the acks
inline constexpr size_t kBatchBytes = size_t{1} << 20;  // and their bytes together
inline constexpr int kHandshakeSeconds = 5;
inline constexpr int kSlowConsumerSeconds = 30;  // a client that acks nothing for so long is closed

// WebSocket close codes.
inline constexpr int kCloseMalformed = 4400;
inline constexpr int kCloseUnauthorized = 4401;
inline constexpr int kCloseVersion = 4406;
inline constexpr int kCloseHandshakeTimeout = 4408;
inline constexpr int kCloseTooLarge = 4413;
inline constexpr int kCloseSlowConsumer = 4429;

}  // namespace assay::protocol
