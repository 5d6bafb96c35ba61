//! Macros for methods that need certain CPU features.

/// Defines a zero-sized method type. Having a value of it proves that the CPU has the features.
macro_rules! proof_of_features {
    ($(#[$doc:meta])* $name:ident: $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// The method, if this CPU supports it. Without the `std` feature, only the features
            /// for which the build is compiled count.
            #[inline]
            pub fn detect() -> Option<Self> {
                #[cfg(feature = "std")]
                let available = $(std::arch::is_x86_feature_detected!($feature))&&+;
                #[cfg(not(feature = "std"))]
                let available = cfg!(all($(target_feature = $feature),+));
                available.then_some(Self(()))
            }

            /// The method without testing the CPU.
            ///
            /// # Safety
            /// The CPU has these features:
            #[doc = concat!($(" `", $feature, "`",)+ ".")]
            #[inline(always)]
            pub const unsafe fn assume() -> Self {
                Self(())
            }

            /// Runs the visitor in a function that is compiled for these features.
            #[inline]
            fn inside<V: $crate::attacks::MethodVisitor>(self, visitor: &mut V) {
                $(#[target_feature(enable = $feature)])+
                fn compiled<V: $crate::attacks::MethodVisitor>(method: $name, visitor: &mut V) {
                    visitor.visit(method);
                }
                // SAFETY: `compiled` enables the features of this type, and the CPU has them: the
                // field is private, `detect` tests the CPU, the callers of `assume` promise it, and
                // `Default` exists only in builds that require the features.
                unsafe { compiled(self, visitor) }
            }
        }

        /// A build that requires the features needs no test.
        #[cfg(all($(target_feature = $feature),+))]
        impl Default for $name {
            #[inline(always)]
            fn default() -> Self {
                Self(())
            }
        }
    };
}
pub(super) use proof_of_features;

/// Implements [`Sliders`](crate::attacks::Sliders) for such a type by functions of a square and the
/// occupied squares. They must enable no other features than those of the type.
macro_rules! sliders_by_features {
    ($method:ident, $name:literal, $rook:path, $bishop:path, $queen:path) => {
        impl Sliders for $method {
            const NAME: &'static str = $name;

            #[inline(always)]
            fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
                // SAFETY: the function enables features of this type, and `self` proves them.
                Bitboard(unsafe { $rook(square, occupied.0) })
            }

            #[inline(always)]
            fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
                // SAFETY: the function enables features of this type, and `self` proves them.
                Bitboard(unsafe { $bishop(square, occupied.0) })
            }

            #[inline(always)]
            fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
                // SAFETY: the function enables features of this type, and `self` proves them.
                Bitboard(unsafe { $queen(square, occupied.0) })
            }

            #[inline(always)]
            fn enter<V: $crate::attacks::MethodVisitor>(self, visitor: &mut V) {
                self.inside(visitor);
            }
        }
    };
}
pub(super) use sliders_by_features;
