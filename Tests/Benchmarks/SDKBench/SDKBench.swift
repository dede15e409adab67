import Benchmarking
import Foundation

/// What the SDK costs: a call, a catalogue that is imported, a thousand shoppers in one process.
@main
struct SDKBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "serve" { return try await ConstantServer.serve() }
        if arguments.count == 3, arguments.first == "shoppers",
            let kind = ThousandShoppers.Kind(rawValue: CommandLine.arguments[2]),
            let server = URL(string: CommandLine.arguments[3])
        {
            return try await ThousandShoppers.run(kind, at: server)
        }
        try await ConstantServer.running { server in
            try await CallOverhead(server: server).show()
            try await CatalogImportBench(server: server).show()
        }
        try await ThousandShoppers(folder: Bundle.main.bundleURL).show()
    }
}
