// The declarations of SwiftUI that PouchUI uses, as in the SDK of iOS 18, so that its adapters can be type-checked
// elsewhere. Nothing here does anything.

import Observation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public typealias Body = Never
}

extension View where Body == Never {
    public var body: Never { fatalError("This view has no body.") }
}

public struct EmptyView: View {
    public typealias Body = Never
    nonisolated public init() {}
}

public struct AnyView: View {
    public typealias Body = Never
    nonisolated public init<V: View>(_ view: V) {}
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

// MARK: - Bindings

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
    private let get: () -> Value
    private let set: (Value) -> Void

    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {
        fatalError("A stand-in has no values.")
    }

    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError("A stand-in has no values.")
    }
}

@dynamicMemberLookup
@propertyWrapper
public struct Bindable<Value> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }

    @available(*, unavailable, message: "The wrapped value must be an object that conforms to Observable.")
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Bindable where Value: AnyObject {
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError("A stand-in has no values.")
    }
}

extension Bindable where Value: AnyObject & Observable {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

// MARK: - Environment

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

public struct EnvironmentValues {
    public init() {}
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { K.defaultValue }
        set {}
    }
}

extension View {
    nonisolated public func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View { EmptyView() }
}

@propertyWrapper
public struct Environment<Value> {
    nonisolated public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError("A stand-in has no values.") }
}

public enum UserInterfaceSizeClass: Sendable {
    case compact
    case regular
}

extension EnvironmentValues {
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { nil }
        set {}
    }
}

// MARK: - Identity and changes

extension View {
    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { EmptyView() }

    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View { EmptyView() }
}

// MARK: - Navigation

@MainActor @preconcurrency
public struct NavigationStack<Data, Root: View>: View {
    public typealias Body = Never

    nonisolated public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable
    {}
}

@MainActor @preconcurrency
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    public typealias Body = Never
}

extension NavigationSplitView where Content == EmptyView {
    nonisolated public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>,
        preferredCompactColumn: Binding<NavigationSplitViewColumn>,
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail
    ) {}
}

public struct NavigationSplitViewVisibility: Equatable, Hashable, Sendable {
    public static var detailOnly: NavigationSplitViewVisibility { .init() }
    public static var doubleColumn: NavigationSplitViewVisibility { .init() }
    public static var all: NavigationSplitViewVisibility { .init() }
    public static var automatic: NavigationSplitViewVisibility { .init() }
}

public struct NavigationSplitViewColumn: Hashable, Sendable {
    public static var sidebar: NavigationSplitViewColumn { .init() }
    public static var content: NavigationSplitViewColumn { .init() }
    public static var detail: NavigationSplitViewColumn { .init() }
}

extension View {
    nonisolated public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { EmptyView() }

    nonisolated public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { EmptyView() }
}

// MARK: - For the example

public struct Button: View {
    public typealias Body = Never
    nonisolated public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct TabView<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
    nonisolated public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View where Content: View {
    public typealias Body = Never
    nonisolated public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}

extension View {
    nonisolated public func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View { EmptyView() }
}
