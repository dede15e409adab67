import Benchmarking
import Foundation

/// What the SDK costs: a call, a catalogue that is imported, a thousand shoppers in one process.
@main
struct SDKBench {
    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "serve" { return try await ConstantServer.serve() }
        try await ConstantServer.running { server in
            try await CallOverhead(server: server).show()
        }
    }
}
