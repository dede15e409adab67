/// A link of the chain along which messages travel: view, screen, container, coordinator, parent, up to the root.
@MainActor
public protocol Responder: AnyObject, Sendable {
    /// The next link; nil at the end of the chain. Hold it weakly: children refer to parents, not the other way round.
    var coordinatingResponder: (any Responder)? { get }
}

extension Responder {
    /// Sends a message to the nearest responder above this one that handles its family, and returns the answer.
    ///
    /// A family is a protocol, so the compiler checks arguments and answers:
    ///
    ///     try await send(to: (any CartMessages).self) { try await $0.cartAdd(sku: sku, quantity: 1) }
    ///
    /// A family offers each of its messages as a method of every responder, so that senders need one line, and passes
    /// on what a handler does not implement:
    ///
    ///     @MainActor
    ///     protocol CartMessages {
    ///         func cartAdd(sku: String, quantity: Int) async throws
    ///     }
    ///
    ///     extension Responder {
    ///         func cartAdd(
    ///             sku: String, quantity: Int, fileID: String = #fileID, line: Int = #line
    ///         ) async throws {
    ///             try await send(to: (any CartMessages).self, fileID: fileID, line: line) {
    ///                 try await $0.cartAdd(sku: sku, quantity: quantity)
    ///             }
    ///         }
    ///     }
    ///
    ///     extension CartMessages where Self: Responder {
    ///         func cartAdd(sku: String, quantity: Int) async throws {
    ///             try await above.cartAdd(sku: sku, quantity: quantity)
    ///         }
    ///     }
    ///
    /// The first extension sends the messages; the second passes on those that a handler does not implement.
    ///
    /// A handler that calls such a method on itself handles the message; with `above` it passes the message on.
    ///
    /// A class implements the messages in its body, as `open` methods, so that subclasses can override each of them.
    /// The compiler does not find these mistakes, with which a method compiles and is never called:
    /// - Its signature differs from the family's.
    /// - It is in a subclass of a handler that does not implement the message itself. The class that conforms to the
    ///   family decides once which messages are passed on.
    ///
    /// If the handler needs a dependency that does not exist yet, the message waits for it without keeping the handler
    /// alive. The closure then runs again, so it should only call the handler.
    ///
    /// - Throws: the handler's error; `UnhandledMessage`; `UndeliveredMessage` for a message that waited in vain.
    @discardableResult
    public func send<Family, Answer>(
        to family: Family.Type,
        fileID: String = #fileID,
        line: Int = #line,
        _ message: @MainActor (Family) async throws -> Answer
    ) async throws -> Answer {
        try await deliver(to: Handler(of: family, from: coordinatingResponder), fileID, line, message)
    }

    /// Receives a message from outside the chain, such as a link that opened the app. This responder is the first that
    /// may handle it.
    ///
    ///     try await app.receive(as: (any NavigationMessages).self) { try await $0.show(.home) }
    ///
    /// - Throws: as `send` does.
    @discardableResult
    public func receive<Family, Answer>(
        as family: Family.Type,
        fileID: String = #fileID,
        line: Int = #line,
        _ message: @MainActor (Family) async throws -> Answer
    ) async throws -> Answer {
        try await deliver(to: Handler(of: family, from: self), fileID, line, message)
    }

    /// The responders above this one. A message that is sent with it skips this responder's own handlers, as a handler
    /// does that passes a message on:
    ///
    ///     func cartAdd(sku: String, quantity: Int) async throws -> CartBadge {
    ///         try await above.cartAdd(sku: sku, quantity: min(quantity, 3))
    ///     }
    public var above: any Responder { ChainAbove(self) }

    private func deliver<Family, Answer>(
        to handler: Handler<Family>, _ fileID: String, _ line: Int,
        _ message: @MainActor (Family) async throws -> Answer
    ) async throws -> Answer {
        let sender = (self as? ChainAbove)?.origin ?? "\(type(of: self))"
        let unhandled = UnhandledMessage(family: handler.family, sender: sender, fileID: fileID, line: line)
        guard handler.responder != nil else { throw unhandled }
        try await (handler.responder as? any MessageWaiting)?.waitingMessages.letEarlierPass()
        while true {
            let missing: MissingDependency
            do {
                guard let handler = handler.responder as? Family else { throw UndeliveredMessage.stopped }
                return try await message(handler)
            } catch let error as MissingDependency {
                missing = error
            } catch let error as UnhandledMessage where error.family == unhandled.family {
                // The handlers passed the message on beyond the last one: its first sender is the one to name.
                throw unhandled
            }
            try await missing.wait()
        }
    }
}

/// Sends messages for a responder, from the next link above it.
private final class ChainAbove: Responder {
    private(set) weak var coordinatingResponder: (any Responder)?
    /// The type of the responder that the messages are sent for.
    let origin: String

    init(_ responder: any Responder) {
        coordinatingResponder = responder.coordinatingResponder
        origin = "\(type(of: responder))"
    }
}

/// The nearest responder that handles a family. Does not keep it alive while a message waits.
@MainActor
private struct Handler<Family> {
    weak var responder: (any Responder)?

    init(of family: Family.Type, from first: (any Responder)?) {
        var responder = first
        while let current = responder, !(current is Family) { responder = current.coordinatingResponder }
        self.responder = responder
    }

    /// The name without `any`.
    var family: String { String("\(Family.self)".split(separator: " ").last ?? "") }
}

// MARK: - Errors

/// A message whose family no responder up to the root handles.
public struct UnhandledMessage: Error, Sendable, Equatable {
    /// The name of the family, such as `CartMessages`.
    public let family: String
    /// The type of the responder that sent the message.
    public let sender: String
    /// The file that sent the message, as `Module/File.swift`.
    public let fileID: String
    public let line: Int

    public init(family: String, sender: String, fileID: String, line: Int) {
        self.family = family
        self.sender = sender
        self.fileID = fileID
        self.line = line
    }
}

extension UnhandledMessage: CustomStringConvertible {
    public var description: String {
        "no responder handles \(family), to which \(sender) sent a message at \(fileID):\(line)"
    }
}

/// Why a message did not reach its handler. It had no effect.
public enum UndeliveredMessage: Error, Sendable, Equatable {
    /// The handler's queue of waiting messages is full.
    case queueFull
    /// The handler stopped or was deallocated.
    case stopped
    /// The task that sent the message was cancelled.
    case cancelled
}

/// A dependency that a handler needs and that does not exist yet. Throw it before doing anything else, with
/// `Coordinator.needed`: `Responder.send` waits for the dependency, then calls the handler again.
public struct MissingDependency: Error, CustomStringConvertible {
    /// The key path of the dependency, such as `\AppDependency.cart`.
    public let name: String
    let waitingMessages: WaitingMessages
    let exists: @MainActor @Sendable () -> Bool

    func wait() async throws(UndeliveredMessage) {
        try await waitingMessages.wait(until: exists)
    }

    public var description: String { "\(name) does not exist yet" }
}
