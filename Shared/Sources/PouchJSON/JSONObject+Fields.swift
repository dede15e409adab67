// One initializer for each number of fields that a model has, all alike: a model with another number needs another one.
// Parameter packs would need one in all, and look up metadata for each object at run time: with them, reading was 3
// times as fast as JSONDecoder instead of 9 times.
extension JSONObject {
    @inlinable
    public init<A>(
        _ make: @escaping @Sendable (A) throws -> Model, _ f0: JSONField<Model, A>
    ) where Slots == A? {
        self.init([.init(f0) { $0 = $1 }], { nil }, { try make($0.value()) })
    }

    @inlinable
    public init<A, B>(
        _ make: @escaping @Sendable (A, B) throws -> Model, _ f0: JSONField<Model, A>, _ f1: JSONField<Model, B>
    ) where Slots == (A?, B?) {
        self.init(
            [.init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }], { (nil, nil) }, { try make($0.0.value(), $0.1.value()) }
        )
    }

    @inlinable
    public init<A, B, C>(
        _ make: @escaping @Sendable (A, B, C) throws -> Model, _ f0: JSONField<Model, A>, _ f1: JSONField<Model, B>,
        _ f2: JSONField<Model, C>
    ) where Slots == (A?, B?, C?) {
        self.init(
            [.init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }], { (nil, nil, nil) },
            { try make($0.0.value(), $0.1.value(), $0.2.value()) })
    }

    @inlinable
    public init<A, B, C, D>(
        _ make: @escaping @Sendable (A, B, C, D) throws -> Model, _ f0: JSONField<Model, A>, _ f1: JSONField<Model, B>,
        _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>
    ) where Slots == (A?, B?, C?, D?) {
        self.init(
            [.init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 }],
            { (nil, nil, nil, nil) }, { try make($0.0.value(), $0.1.value(), $0.2.value(), $0.3.value()) })
    }

    @inlinable
    public init<A, B, C, D, E>(
        _ make: @escaping @Sendable (A, B, C, D, E) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>
    ) where Slots == (A?, B?, C?, D?, E?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 },
            ], { (nil, nil, nil, nil, nil) },
            { try make($0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value()) })
    }

    @inlinable
    public init<A, B, C, D, E, F>(
        _ make: @escaping @Sendable (A, B, C, D, E, F) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>,
        _ f5: JSONField<Model, F>
    ) where Slots == (A?, B?, C?, D?, E?, F?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 },
            ], { (nil, nil, nil, nil, nil, nil) },
            { try make($0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value()) })
    }

    @inlinable
    public init<A, B, C, D, E, F, G>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>,
        _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value())
            })
    }

    @inlinable
    public init<A, B, C, D, E, F, G, H>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>,
        _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>, _ f7: JSONField<Model, H>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?, H?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 }, .init(f7) { $0.7 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value(),
                    $0.7.value())
            })
    }

    @inlinable
    public init<A, B, C, D, E, F, G, H, I>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>,
        _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>, _ f7: JSONField<Model, H>, _ f8: JSONField<Model, I>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?, H?, I?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 }, .init(f7) { $0.7 = $1 },
                .init(f8) { $0.8 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value(),
                    $0.7.value(), $0.8.value())
            })
    }

    @inlinable
    public init<A, B, C, D, E, F, G, H, I, J>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>,
        _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>, _ f7: JSONField<Model, H>, _ f8: JSONField<Model, I>,
        _ f9: JSONField<Model, J>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?, H?, I?, J?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 }, .init(f7) { $0.7 = $1 },
                .init(f8) { $0.8 = $1 }, .init(f9) { $0.9 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value(),
                    $0.7.value(), $0.8.value(), $0.9.value())
            })
    }

    @inlinable
    public init<A, B, C, D, E, F, G, H, I, J, K, L>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>,
        _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>, _ f7: JSONField<Model, H>, _ f8: JSONField<Model, I>,
        _ f9: JSONField<Model, J>, _ f10: JSONField<Model, K>, _ f11: JSONField<Model, L>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?, H?, I?, J?, K?, L?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 }, .init(f7) { $0.7 = $1 },
                .init(f8) { $0.8 = $1 }, .init(f9) { $0.9 = $1 }, .init(f10) { $0.10 = $1 }, .init(f11) { $0.11 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value(),
                    $0.7.value(), $0.8.value(), $0.9.value(), $0.10.value(), $0.11.value())
            })
    }

    @inlinable
    public init<A, B, C, D, E, F, G, H, I, J, K, L, M>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M) throws -> Model, _ f0: JSONField<Model, A>,
        _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>, _ f4: JSONField<Model, E>,
        _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>, _ f7: JSONField<Model, H>, _ f8: JSONField<Model, I>,
        _ f9: JSONField<Model, J>, _ f10: JSONField<Model, K>, _ f11: JSONField<Model, L>, _ f12: JSONField<Model, M>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?, H?, I?, J?, K?, L?, M?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 }, .init(f7) { $0.7 = $1 },
                .init(f8) { $0.8 = $1 }, .init(f9) { $0.9 = $1 }, .init(f10) { $0.10 = $1 }, .init(f11) { $0.11 = $1 },
                .init(f12) { $0.12 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value(),
                    $0.7.value(), $0.8.value(), $0.9.value(), $0.10.value(), $0.11.value(), $0.12.value())
            })
    }

    @inlinable
    public init<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q) throws -> Model,
        _ f0: JSONField<Model, A>, _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>,
        _ f4: JSONField<Model, E>, _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>, _ f7: JSONField<Model, H>,
        _ f8: JSONField<Model, I>, _ f9: JSONField<Model, J>, _ f10: JSONField<Model, K>, _ f11: JSONField<Model, L>,
        _ f12: JSONField<Model, M>, _ f13: JSONField<Model, N>, _ f14: JSONField<Model, O>, _ f15: JSONField<Model, P>,
        _ f16: JSONField<Model, Q>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?, H?, I?, J?, K?, L?, M?, N?, O?, P?, Q?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 }, .init(f7) { $0.7 = $1 },
                .init(f8) { $0.8 = $1 }, .init(f9) { $0.9 = $1 }, .init(f10) { $0.10 = $1 }, .init(f11) { $0.11 = $1 },
                .init(f12) { $0.12 = $1 }, .init(f13) { $0.13 = $1 }, .init(f14) { $0.14 = $1 },
                .init(f15) { $0.15 = $1 }, .init(f16) { $0.16 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value(),
                    $0.7.value(), $0.8.value(), $0.9.value(), $0.10.value(), $0.11.value(), $0.12.value(),
                    $0.13.value(), $0.14.value(), $0.15.value(), $0.16.value())
            })
    }

    @inlinable
    public init<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R>(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R) throws -> Model,
        _ f0: JSONField<Model, A>, _ f1: JSONField<Model, B>, _ f2: JSONField<Model, C>, _ f3: JSONField<Model, D>,
        _ f4: JSONField<Model, E>, _ f5: JSONField<Model, F>, _ f6: JSONField<Model, G>, _ f7: JSONField<Model, H>,
        _ f8: JSONField<Model, I>, _ f9: JSONField<Model, J>, _ f10: JSONField<Model, K>, _ f11: JSONField<Model, L>,
        _ f12: JSONField<Model, M>, _ f13: JSONField<Model, N>, _ f14: JSONField<Model, O>, _ f15: JSONField<Model, P>,
        _ f16: JSONField<Model, Q>, _ f17: JSONField<Model, R>
    ) where Slots == (A?, B?, C?, D?, E?, F?, G?, H?, I?, J?, K?, L?, M?, N?, O?, P?, Q?, R?) {
        self.init(
            [
                .init(f0) { $0.0 = $1 }, .init(f1) { $0.1 = $1 }, .init(f2) { $0.2 = $1 }, .init(f3) { $0.3 = $1 },
                .init(f4) { $0.4 = $1 }, .init(f5) { $0.5 = $1 }, .init(f6) { $0.6 = $1 }, .init(f7) { $0.7 = $1 },
                .init(f8) { $0.8 = $1 }, .init(f9) { $0.9 = $1 }, .init(f10) { $0.10 = $1 }, .init(f11) { $0.11 = $1 },
                .init(f12) { $0.12 = $1 }, .init(f13) { $0.13 = $1 }, .init(f14) { $0.14 = $1 },
                .init(f15) { $0.15 = $1 }, .init(f16) { $0.16 = $1 }, .init(f17) { $0.17 = $1 },
            ], { (nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil) },
            {
                try make(
                    $0.0.value(), $0.1.value(), $0.2.value(), $0.3.value(), $0.4.value(), $0.5.value(), $0.6.value(),
                    $0.7.value(), $0.8.value(), $0.9.value(), $0.10.value(), $0.11.value(), $0.12.value(),
                    $0.13.value(), $0.14.value(), $0.15.value(), $0.16.value(), $0.17.value())
            })
    }
}
