import Hummingbird

extension Response {
    static var noContent: Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }
}
